use prost::Message;
use prost_reflect::{DescriptorPool, DynamicMessage};
use serde_json::Value;
use vademecum::{Error, ResponseStream, SearchStream};

/// Converts messages to and from JSON, which prost does not support.
pub struct Json {
    descriptors: DescriptorPool,
}

impl Json {
    pub fn read(file: &str) -> Self {
        let bytes = std::fs::read(file).expect("the file of the descriptors can be read");
        Self { descriptors: DescriptorPool::decode(bytes.as_slice()).expect("the file is a file descriptor set") }
    }

    pub fn parse<M: Message + Default>(&self, name: &str, value: Value) -> M {
        let descriptor = self.descriptors.get_message_by_name(name).expect("a message of the definitions");
        let message = DynamicMessage::deserialize(descriptor, value).expect("a request in JSON");
        M::decode(message.encode_to_vec().as_slice()).expect("prost decodes what prost-reflect encoded")
    }

    fn written<M: Message>(&self, name: &str, message: &M) -> Value {
        let descriptor = self.descriptors.get_message_by_name(name).expect("a message of the definitions");
        let message = DynamicMessage::decode(descriptor, message.encode_to_vec().as_slice()).expect("prost-reflect decodes what prost encoded");
        serde_json::to_value(message).expect("a response in JSON")
    }

    pub async fn unary<M: Message>(&self, name: &str, response: M) -> Result<Value, Error> {
        Ok(self.written(name, &response))
    }

    pub async fn stream<M: Message>(&self, name: &str, mut stream: ResponseStream<M>) -> Result<Value, Error> {
        let mut messages = Vec::new();
        while let Some(message) = stream.next().await? {
            messages.push(self.written(name, &message));
        }
        Ok(Value::Array(messages))
    }

    pub async fn search(&self, _name: &str, stream: SearchStream) -> Result<Value, Error> {
        let result = stream.collect().await?;
        let hits: Vec<Value> = result.hits.iter().map(|hit| self.written("vademecum.v1.SearchHit", hit)).collect();
        Ok(serde_json::json!({ "hits": hits, "summary": self.written("vademecum.v1.SearchSummary", &result.summary) }))
    }
}
